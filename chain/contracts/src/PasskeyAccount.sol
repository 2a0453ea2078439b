// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Account} from "@openzeppelin/contracts/account/Account.sol";
import {ERC7821} from "@openzeppelin/contracts/account/extensions/draft-ERC7821.sol";
import {ERC4337Utils} from "@openzeppelin/contracts/account/utils/ERC4337Utils.sol";
import {IEntryPoint, PackedUserOperation} from "@openzeppelin/contracts/interfaces/IERC4337.sol";
import {Initializable} from "@openzeppelin/contracts/proxy/utils/Initializable.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {
    AbstractSigner
} from "@openzeppelin/contracts/utils/cryptography/signers/AbstractSigner.sol";
import {
    MultiSignerERC7913
} from "@openzeppelin/contracts/utils/cryptography/signers/MultiSignerERC7913.sol";
import {ERC7739} from "@openzeppelin/contracts/utils/cryptography/signers/draft-ERC7739.sol";

/// @title The wallet of a human who has only a passkey
/// @notice An ERC-4337 account with one or more owners, each of which may act alone. An owner is a
/// passkey (the verifier's address and the 64 bytes of a P-256 key) or a plain account (20 bytes).
/// The account adds and removes owners itself, and the last one stays.
/// @dev A clone of the implementation in `PasskeyAccountFactory`. It cannot be upgraded.
contract PasskeyAccount is Account, ERC7821, ERC7739, MultiSignerERC7913, Initializable {
    /// @notice An owner must be a passkey of the account's verifier, or a plain account other than
    /// this one.
    error InvalidOwner(bytes owner);

    uint256 private constant PLAIN_LENGTH = 20;
    uint256 private constant PASSKEY_LENGTH = 84;
    /// @dev Precompiled contracts are not accounts: the identity contract would confirm any
    /// signature by ERC-1271.
    uint160 private constant LAST_PRECOMPILE = 0xffff;

    IEntryPoint private immutable _entryPoint;

    /// @notice Checks the signatures of passkeys.
    address public immutable verifier;

    constructor(IEntryPoint entryPoint_, address verifier_)
        EIP712("TaskmarketAccount", "1")
        MultiSignerERC7913(_nobody(), 1)
    {
        _entryPoint = entryPoint_;
        // slither-disable-next-line missing-zero-check: the deploying factory's caller chooses it
        verifier = verifier_;
        _disableInitializers();
    }

    /// @notice Sets the first owners of a new clone; at least one.
    function initialize(bytes[] calldata owners) external initializer {
        _addSigners(owners);
        _validateReachableThreshold();
    }

    /// @notice Adds owners. Only through a batch of the account.
    function addSigners(bytes[] calldata owners) external onlyEntryPointOrSelf {
        _addSigners(owners);
    }

    /// @notice Removes owners, but not the last one. Only through a batch of the account.
    function removeSigners(bytes[] calldata owners) external onlyEntryPointOrSelf {
        _removeSigners(owners);
    }

    /// @inheritdoc Account
    function entryPoint() public view override returns (IEntryPoint) {
        return _entryPoint;
    }

    /// @inheritdoc MultiSignerERC7913
    function threshold() public pure override returns (uint64) {
        return 1;
    }

    function _addSigners(bytes[] memory owners) internal override {
        for (uint256 i = 0; i < owners.length; ++i) {
            if (!_isAllowed(owners[i])) revert InvalidOwner(owners[i]);
        }
        super._addSigners(owners);
    }

    /// @dev The first six bytes of the nonce, which are part of its key, are the time until which
    /// the operation is valid, so that a relay cannot keep it for later; 0 is without end.
    function _validateUserOp(
        PackedUserOperation calldata operation,
        bytes32 hash,
        bytes calldata signature
    ) internal override returns (uint256) {
        bool signed = super._validateUserOp(operation, hash, signature)
            == ERC4337Utils.SIG_VALIDATION_SUCCESS;
        // forge-lint: disable-next-line(unsafe-typecast): the first 48 bits
        return ERC4337Utils.packValidationData(signed, 0, uint48(operation.nonce >> 208));
    }

    /// @dev An owner with a plain account may also call directly, without a relay.
    function _erc7821AuthorizedExecutor(address caller, bytes32 mode, bytes calldata data)
        internal
        view
        override
        returns (bool)
    {
        return caller == address(_entryPoint) || isSigner(abi.encodePacked(caller))
            || super._erc7821AuthorizedExecutor(caller, mode, data);
    }

    function _rawSignatureValidation(bytes32 hash, bytes calldata signature)
        internal
        view
        override(AbstractSigner, MultiSignerERC7913)
        returns (bool)
    {
        return MultiSignerERC7913._rawSignatureValidation(hash, signature);
    }

    function _isAllowed(bytes memory owner) private view returns (bool) {
        // forge-lint: disable-next-line(unsafe-typecast): the first 20 bytes
        address start = address(bytes20(owner));
        if (owner.length == PASSKEY_LENGTH) return start == verifier;
        return
            owner.length == PLAIN_LENGTH && uint160(start) > LAST_PRECOMPILE
                && start != address(this);
    }

    /// @dev The owner of the implementation: an address without a known key.
    function _nobody() private pure returns (bytes[] memory owners) {
        owners = new bytes[](1);
        owners[0] = abi.encodePacked(bytes20(keccak256("TaskmarketAccount")));
    }
}
