// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/// @title Signature check without a deployment
/// @notice This contract is run, not deployed: an `eth_call` without a recipient, with this
/// creation code and the constructor's arguments as data, returns one word: 1 if `signer` signed
/// `hash`, otherwise 0. A revert (a malformed wrapper, a failing factory) also means that the
/// signature is invalid. The caller limits the gas.
///
/// A signature is read, in this order, as: a key's signature of 65 bytes with low s, also for an
/// account with code (EIP-7702); an ERC-6492 wrapper, whose factory call first deploys the wallet;
/// an ERC-1271 signature.
contract SignatureCheck {
    bytes32 private constant WRAPPER_SUFFIX =
        0x6492649264926492649264926492649264926492649264926492649264926492;

    /// @notice The factory of an ERC-6492 wrapper reverted.
    error DeploymentFailed(address factory);

    constructor(address signer, bytes32 hash, bytes memory signature) {
        bool valid = _isValid(signer, hash, signature);
        // slither-disable-next-line assembly: the constructor returns the result instead of code
        assembly ("memory-safe") {
            mstore(0, valid)
            return(0, 32)
        }
    }

    function _isValid(address signer, bytes32 hash, bytes memory signature) private returns (bool) {
        // slither-disable-next-line unused-return: an error returns the zero address
        (address recovered,,) = ECDSA.tryRecover(hash, signature);
        if (recovered != address(0) && recovered == signer) return true;
        if (_isWrapped(signature)) signature = _unwrap(signer, signature);
        return SignatureChecker.isValidERC1271SignatureNow(signer, hash, signature);
    }

    function _isWrapped(bytes memory signature) private pure returns (bool) {
        if (signature.length < 32) return false;
        bytes32 suffix;
        // slither-disable-next-line assembly: memory cannot be sliced
        assembly ("memory-safe") {
            suffix := mload(add(signature, mload(signature)))
        }
        return suffix == WRAPPER_SUFFIX;
    }

    /// @dev Deploys the wallet if it has no code yet. The `eth_call` discards the deployment.
    function _unwrap(address signer, bytes memory signature) private returns (bytes memory) {
        // slither-disable-next-line assembly: memory cannot be sliced
        assembly ("memory-safe") {
            mstore(signature, sub(mload(signature), 32))
        }
        (address factory, bytes memory data, bytes memory inner) =
            abi.decode(signature, (address, bytes, bytes));
        if (signer.code.length == 0) {
            // slither-disable-next-line low-level-calls: ERC-6492 allows any call to the factory
            (bool deployed,) = factory.call(data);
            if (!deployed) revert DeploymentFailed(factory);
        }
        return inner;
    }
}
