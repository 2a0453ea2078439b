// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IRewardDistributor} from "./interfaces/IRewardDistributor.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";

/// @title Rewards paid against signed vouchers within a daily budget
contract RewardDistributor is IRewardDistributor, EIP712, Ownable2Step {
    using SafeERC20 for IERC20;
    using SafeCast for uint256;

    struct Bucket {
        uint96 dailyBudget;
        uint96 level;
        uint40 filledAt;
    }

    bytes32 private constant CLAIM_TYPE_HASH =
        keccak256("Claim(address account,uint256 cumulativeAmount,uint256 deadline)");

    /// @inheritdoc IRewardDistributor
    IERC20 public immutable override token;
    /// @inheritdoc IRewardDistributor
    address public override signer;
    /// @inheritdoc IRewardDistributor
    mapping(address account => uint256 amount) public override claimed;

    Bucket private _bucket;

    /// @notice The bucket is full at the start.
    constructor(IERC20 token_, address owner_, address signer_, uint96 dailyBudget_)
        EIP712("TaskmarketRewards", "1")
        Ownable(owner_)
    {
        if (address(token_) == address(0)) revert ZeroAddress();
        token = token_;
        // slither-disable-next-line missing-zero-check: the zero address stops all claims
        signer = signer_;
        _bucket = Bucket(dailyBudget_, dailyBudget_, block.timestamp.toUint40());
        emit SignerChanged(signer_);
        emit BudgetChanged(dailyBudget_);
    }

    /// @inheritdoc IRewardDistributor
    function claim(
        address account,
        uint256 cumulativeAmount,
        uint256 deadline,
        bytes calldata signature
    ) external returns (uint256 amount) {
        // Check
        if (block.timestamp > deadline) revert VoucherExpired(deadline);
        bytes32 digest = claimDigest(account, cumulativeAmount, deadline);
        // slither-disable-next-line unused-return: an error returns the zero address
        (address recovered,,) = ECDSA.tryRecoverCalldata(digest, signature);
        if (recovered == address(0) || recovered != signer) revert InvalidVoucher();
        uint256 level = available();
        uint256 owed = Math.saturatingSub(cumulativeAmount, claimed[account]);
        amount = Math.min(owed, Math.min(level, token.balanceOf(address(this))));
        // slither-disable-next-line incorrect-equality: a donation only raises the amount
        if (amount == 0) revert NothingToClaim(account);
        // Effect
        uint256 cumulative = claimed[account] + amount;
        claimed[account] = cumulative;
        _fill(level - amount);
        emit Claimed(account, amount, cumulative);
        // Interaction
        token.safeTransfer(account, amount);
    }

    /// @inheritdoc IRewardDistributor
    function setSigner(address newSigner) external onlyOwner {
        // slither-disable-next-line missing-zero-check: the zero address stops all claims
        signer = newSigner;
        emit SignerChanged(newSigner);
    }

    /// @inheritdoc IRewardDistributor
    function setBudget(uint96 newDailyBudget) external onlyOwner {
        // Refill at the old rate before the rate changes.
        _fill(Math.min(available(), newDailyBudget));
        _bucket.dailyBudget = newDailyBudget;
        emit BudgetChanged(newDailyBudget);
    }

    /// @inheritdoc IRewardDistributor
    function dailyBudget() external view returns (uint256) {
        return _bucket.dailyBudget;
    }

    /// @inheritdoc IRewardDistributor
    function available() public view returns (uint256) {
        Bucket memory bucket = _bucket;
        uint256 inflow = bucket.dailyBudget * (block.timestamp - bucket.filledAt) / 1 days;
        return Math.min(bucket.dailyBudget, bucket.level + inflow);
    }

    /// @inheritdoc IRewardDistributor
    function claimDigest(address account, uint256 cumulativeAmount, uint256 deadline)
        public
        view
        returns (bytes32)
    {
        bytes32 structHash =
            keccak256(abi.encode(CLAIM_TYPE_HASH, account, cumulativeAmount, deadline));
        return _hashTypedDataV4(structHash);
    }

    /// @notice Always reverts, so that an account that can replace a stolen key remains.
    function renounceOwnership() public view override onlyOwner {
        revert OwnershipNotRenounceable();
    }

    function _fill(uint256 level) private {
        _bucket.level = level.toUint96();
        _bucket.filledAt = block.timestamp.toUint40();
    }
}
