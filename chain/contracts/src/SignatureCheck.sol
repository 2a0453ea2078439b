// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/// @title Who signed this? asked without a deployment
/// @notice Not deployed but run: an `eth_call` without a recipient, whose data is this creation
/// code and the constructor's arguments, answers one word, 1 when `signer` signed `hash`, else 0. A
/// revert (a malformed wrapper, a factory that fails) also means no. The caller bounds the gas.
///
/// Read in this order: a key's signature of 65 bytes with low s, also for an account with code
/// (EIP-7702); an ERC-6492 wrapper, whose factory call deploys the wallet first; ERC-1271.
contract SignatureCheck {
    bytes32 private constant WRAPPER_SUFFIX =
        0x6492649264926492649264926492649264926492649264926492649264926492;

    /// @notice The factory of an ERC-6492 wrapper reverted.
    error DeploymentFailed(address factory);

    constructor(address signer, bytes32 hash, bytes memory signature) {
        bool valid = _isValid(signer, hash, signature);
        // slither-disable-next-line assembly: a constructor returns code, and this one an answer
        assembly ("memory-safe") {
            mstore(0, valid)
            return(0, 32)
        }
    }

    function _isValid(address signer, bytes32 hash, bytes memory signature) private returns (bool) {
        // slither-disable-next-line unused-return: a zero address is all there is to an error
        (address recovered,,) = ECDSA.tryRecover(hash, signature);
        if (recovered != address(0) && recovered == signer) return true;
        if (_isWrapped(signature)) signature = _unwrap(signer, signature);
        return SignatureChecker.isValidERC1271SignatureNow(signer, hash, signature);
    }

    function _isWrapped(bytes memory signature) private pure returns (bool) {
        if (signature.length < 32) return false;
        bytes32 suffix;
        // slither-disable-next-line assembly: memory has no slices
        assembly ("memory-safe") {
            suffix := mload(add(signature, mload(signature)))
        }
        return suffix == WRAPPER_SUFFIX;
    }

    /// @dev Deploys the wallet when it has no code yet; all of it is forgotten with the call.
    function _unwrap(address signer, bytes memory signature) private returns (bytes memory) {
        // slither-disable-next-line assembly: memory has no slices
        assembly ("memory-safe") {
            mstore(signature, sub(mload(signature), 32))
        }
        (address factory, bytes memory data, bytes memory inner) =
            abi.decode(signature, (address, bytes, bytes));
        if (signer.code.length == 0) {
            // slither-disable-next-line low-level-calls: ERC-6492 leaves what is called open
            (bool deployed,) = factory.call(data);
            if (!deployed) revert DeploymentFailed(factory);
        }
        return inner;
    }
}
